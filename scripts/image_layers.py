"""Makes the layers of the image, in `layers/` of the working directory: `dependencies`, `application`.

The Dockerfile runs it, and so does scripts/assemble_image.py, which makes the same tree without Docker. It runs on the interpreter
that the image has, in an environment with uv.
"""

import compileall
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

LAYERS = Path("layers")
USER_ID = 10001
COMMAND = "usr/local/bin/sightline"
SCRIPT = "#!/usr/local/bin/python\nfrom sightline.cli import main\n\nmain()\n"
STATE_DIRECTORY = "var/lib/sightline"
UV = (sys.executable, "-m", "uv", "--no-cache", "--quiet")
# Tests and headers of others' packages; nothing reads them at run time.
UNUSED = ("numpy/**/tests", "numpy/_core/include", "numpy/f2py", "onnxruntime/transformers", "onnxruntime/quantization")


def dependencies() -> None:
    """What Sightline needs to run, without what only builds it."""
    root = LAYERS / "dependencies"
    _install(root, "--require-hashes", "-r", "requirements-image.lock")
    packages = _packages(root)
    for pattern in UNUSED:
        for path in sorted(packages.glob(pattern)):
            shutil.rmtree(path)
    for stub in packages.rglob("*.pyi"):
        stub.unlink()
    _compile(packages)


def application() -> None:
    """The wheel of Sightline; its build tools are held to the hashes of the lock file too."""
    wheels = LAYERS / "wheels"
    build = ("build", "--wheel", "--build-constraints", "requirements.lock", "--require-hashes", "--out-dir", wheels)
    subprocess.run([*UV, *build, "--python", sys.executable], check=True)
    [wheel] = wheels.glob("*.whl")
    root = LAYERS / "application"
    _install(root, "--no-deps", wheel)
    (root / COMMAND).parent.mkdir(exist_ok=True)
    (root / COMMAND).write_text(SCRIPT, encoding="utf-8")
    (root / COMMAND).chmod(0o755)
    _compile(_packages(root))
    _accounts(LAYERS / "accounts")
    (LAYERS / "state" / STATE_DIRECTORY).mkdir(parents=True, mode=0o700)


def _install(root: Path, *what: str | Path) -> None:
    prefix = root / "usr" / "local"
    prefix.mkdir(parents=True)
    options = ("--prefix", prefix, "--python", sys.executable, "--link-mode", "copy")
    subprocess.run([*UV, "pip", "install", *options, *what], check=True)
    for unused in ("bin", "share"):  # scripts name the interpreter that installs here
        shutil.rmtree(prefix / unused, ignore_errors=True)


def _packages(root: Path) -> Path:
    return root / "usr" / "local" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"


def _compile(packages: Path) -> None:
    """Bytecode that is believed without a look at the source, since the image cannot change. Paths in it are those of the image."""
    shown = f"/usr/local/lib/{packages.parent.name}/site-packages"
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(packages, quiet=2, ddir=shown, invalidation_mode=mode, workers=os.cpu_count() or 1)


def _accounts(root: Path) -> None:
    etc = root / "etc"
    etc.mkdir(parents=True)
    for name, line in (
        ("passwd", f"sightline:x:{USER_ID}:{USER_ID}:Sightline:/{STATE_DIRECTORY}:/usr/sbin/nologin\n"),
        ("group", f"sightline:x:{USER_ID}:\n"),
    ):
        present = Path("/etc", name)
        text = present.read_text(encoding="utf-8") if present.exists() else ""
        (etc / name).write_text(text if f":{USER_ID}:" in text else text + line, encoding="utf-8")


if __name__ == "__main__":
    {"dependencies": dependencies, "application": application}[sys.argv[1]]()
