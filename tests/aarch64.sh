#!/usr/bin/env bash
# The golden digests on an emulated ARM processor: the same bits beyond x86.
#
# Needs Debian, root for its packages, and some 2 GB in target/aarch64. The compiler and the standard library for ARM are Debian's own
# (rustc-web), so that both are of one version; the project's toolchain stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
target=aarch64-unknown-linux-gnu
out=$PWD/target/aarch64

need() { command -v "$1" >/dev/null; }
if ! need qemu-aarch64 || ! need aarch64-linux-gnu-gcc || ! [ -x /usr/bin/rustc ]; then
    apt-get update -qq
    apt-get install -y -qq qemu-user gcc-aarch64-linux-gnu rustc-web cargo-web >/dev/null
fi

# The standard library for ARM, beside that of this machine.
if ! [ -d "$out/sysroot/lib/rustlib/$target" ]; then
    mkdir -p "$out"/apt/state/lists/partial "$out"/apt/cache/archives/partial "$out"/sysroot/lib/rustlib
    foreign=(-o Dir::State="$out/apt/state" -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$out/apt/cache"
        -o APT::Architectures=amd64,arm64 -o APT::Sandbox::User=root)
    apt-get "${foreign[@]}" update -qq
    version=$(dpkg-query -W -f '${Version}' libstd-rust-web-dev)
    (cd "$out/apt" && apt-get "${foreign[@]}" download -qq "libstd-rust-web-dev:arm64=$version" && dpkg -x libstd-rust-web-dev_*_arm64.deb arm)
    ln -sfn "$(/usr/bin/rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu" "$out/sysroot/lib/rustlib/x86_64-unknown-linux-gnu"
    ln -sfn "$out/apt/arm/usr/lib/rustlib/$target" "$out/sysroot/lib/rustlib/$target"
fi

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS="--sysroot=$out/sysroot"
export CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc RUSTC=/usr/bin/rustc
golden=$(/usr/bin/cargo test --target $target --target-dir "$out" --test golden --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*golden-[^"]*\)".*/\1/p' | tail -n 1)
qemu-aarch64 -L /usr/aarch64-linux-gnu "$golden"
