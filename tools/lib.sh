# Shared by the shell tools.  Sourced, not run: sets `root` and goes there.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
cd "$root" || exit 1
exec </dev/null

# What building and running needs, as Debian packages.
packages_build=(gcc libc6-dev meson ninja-build pkg-config python3 ocl-icd-opencl-dev
	opencl-headers pocl-opencl-icd libyaml-dev libstb-dev libhdf5-dev libassimp-dev
	libmicrohttpd-dev libjs-dygraphs)
# And what the checks need besides.
packages_check=(git clang-14 libclang-rt-14-dev clang-format-14 libcmocka-dev oclgrind mesa-opencl-icd libclc-15
	locales python3-h5py python3-jsonschema python3-yaml mandoc libode-dev python3-dev python3-cffi python3-numpy
	python3-pandas python3-pytest python3-mesonpy python3-pip python3-wheel g++ libopenvdb-dev libboost-dev libimath-dev
	python3-openvdb)

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

# find_root: sets as_root to what makes a command root's: nothing for root, else sudo, which asks for the
# password if there is a terminal to ask on.  False where there is no way.
find_root() {
	as_root=()
	((EUID == 0)) && return
	as_root=(sudo -n)
	command -v sudo >/dev/null || return
	if { : </dev/tty; } 2>/dev/null; then
		as_root=(sudo)
	else
		sudo -n true 2>/dev/null
	fi
}

# tell_packages REASON PACKAGE...: the line that installs them.
tell_packages() {
	say "$1.  As root, then run this again:"
	shift
	say "  apt-get update && apt-get install --no-install-recommends $*"
}

# install_packages PACKAGE...: installs what is missing and says what.  False after the line that would,
# if it cannot.  Elsewhere than on Debian and its kin it says what is needed, which is true.
install_packages() {
	local missing=() as_root log
	if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
		say "not a Debian system: nothing is installed; needed are the equivalents of"
		say "  $*"
		return
	fi
	mapfile -t missing < <(missing_packages "$@")
	((${#missing[@]})) || return 0
	say "missing Debian packages: ${missing[*]}"
	if ! find_root; then
		tell_packages "they are installed by root alone" "${missing[@]}"
		return 1
	fi
	say "installing them, a minute or several, most of it the download"
	log=$(mktemp)
	# One sudo, which asks once.  Of apt-get's words those that say how much that is.
	"${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive sh -c 'exec 2>&1
		apt-get update && apt-get install -y --no-install-recommends "$@"' sh "${missing[@]}" |
		tee "$log" | sed -u -n 's/^\(Need to get\|After this\|Fetched\) /   &/p'
	mapfile -t missing < <(missing_packages "$@")
	if ((${#missing[@]})); then
		tail -n 15 "$log"
		tell_packages "they are still missing" "${missing[@]}"
	fi
	rm -f "$log"
	((${#missing[@]} == 0))
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
