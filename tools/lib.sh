# Shared by the shell tools.  Sourced, not run: sets `root` and goes there.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
cd "$root" || exit 1
exec </dev/null

# What building and running needs, as Debian packages.
packages_build=(gcc libc6-dev meson ninja-build pkg-config python3 git ocl-icd-opencl-dev
	opencl-headers pocl-opencl-icd libyaml-dev libstb-dev libhdf5-dev)
# And what the checks need besides.
packages_check=(clang-14 libclang-rt-14-dev clang-format-14 libcmocka-dev oclgrind mesa-opencl-icd libclc-15 locales
	python3-h5py)

say() {
	printf '%s\n' "$*"
}

# missing_packages PACKAGE...: those that are not installed, one per line.
missing_packages() {
	local package
	for package in "$@"; do
		[[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
			say "$package"
	done
}

# install_packages PACKAGE...: installs what is missing and says what.  False if something is still
# missing afterwards; the caller decides whether that matters.
install_packages() {
	local missing=() as_root=()
	if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
		say "not a Debian system: nothing is installed; needed are the equivalents of"
		say "  $*"
		return 0
	fi
	mapfile -t missing < <(missing_packages "$@")
	((${#missing[@]})) || return 0
	say "installing Debian packages: ${missing[*]}"
	if ((EUID != 0)); then
		if ! command -v sudo >/dev/null; then
			say "neither root nor sudo: install them yourself"
			return 1
		fi
		as_root=(sudo -n)
	fi
	local log
	log=$(mktemp)
	if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update &&
		"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y \
			--no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
		tail -n 15 "$log"
	fi
	rm -f "$log"
	mapfile -t missing < <(missing_packages "$@")
	((${#missing[@]})) || return 0
	say "still missing: ${missing[*]}"
	return 1
}

# configure FOLDER [MESON OPTION...]: makes a build folder, or changes the options of the one there.
configure() {
	local folder=$1
	shift
	if [[ -f $folder/build.ninja ]]; then
		meson setup --reconfigure "$folder" "$@"
	else
		meson setup "$folder" "$@"
	fi
}

# build FOLDER [MESON OPTION...]: configures and compiles everything.
build() {
	configure "$@" && ninja -k 0 -C "$1"
}
