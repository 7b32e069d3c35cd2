// What this browser keeps between visits. Where it may keep nothing, it is forgotten and nothing else happens.

const PREFIX = "sightline.";

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // private windows and full disks
  }
}
