// Settings kept in this browser. Without storage they are lost on reload, and nothing fails.

const PREFIX = "sightline.";

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows and full disks have no storage.
  }
}
