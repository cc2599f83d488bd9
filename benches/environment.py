"""Python environments of the benches: packages at pinned versions in a folder of their own, made where they are missing."""
import os, subprocess, sys, venv

# Peers are compared on one core, so their libraries get one thread.
SINGLE = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}


def python(folder, needed):
    """The interpreter of the environment in `folder`, in which `needed` is installed; it is made anew when that has changed."""
    interpreter, stamp, text = os.path.join(folder, "bin", "python"), os.path.join(folder, "installed.txt"), "".join(line + "\n" for line in needed)
    if not os.path.exists(stamp) or open(stamp).read() != text:
        print(f"installing {', '.join(needed)} into {folder}", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        install = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *needed], check=True)
        with open(stamp, "w") as file:
            file.write(text)
    return interpreter


def enter(folder, needed):
    """Starts the running script again with the interpreter of that environment, unless it runs there already."""
    interpreter = python(folder, needed)
    if os.path.realpath(sys.prefix) != os.path.realpath(folder):
        os.execve(interpreter, [interpreter, *sys.argv], {**os.environ, **SINGLE})


def pinned(file):
    """The packages of a requirements file."""
    return [line.strip() for line in open(file) if line.strip() and not line.startswith("#")]
