// A page of somebody else: a file input, and Uppy as its owner would set it up. tests/e2e/test_uppy.py drives it.

/** What the test asks for. */
export interface Wishes {
  /** The platform's address. */
  endpoint: string;
  chunkSize: number;
  /** Of whoever is signed in. */
  token: string;
}

/** Where the parts of a file go. A page that keeps it across loads can resume. */
export interface Resumable {
  uploadId: string;
  key: string;
}

/** What both generations of Uppy can do. */
export interface Uploader {
  /** Returns the id that Uppy gives the file, the same for the same file. */
  add(file: File): string;
  resumable(id: string): Resumable | undefined;
  resumeFrom(id: string, state: Resumable): void;
  onPart(handler: (partNumber: number) => void): void;
  /** Resolves to what went wrong, or to nothing. */
  upload(): Promise<string | undefined>;
  retry(): Promise<string | undefined>;
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** What the test reads and calls. */
interface Shown {
  parts: number[];
  outcome: "" | "uploading" | "done" | "failed";
  error: string;
  uploader: Uploader;
  retry(): void;
}

declare global {
  interface Window {
    wishes: Wishes;
    shown: Shown;
  }
}

/** Begins as soon as a file is chosen; goes on where an earlier load of the page left off. */
export function showPage(createUploader: (wishes: Wishes) => Uploader): void {
  const uploader = createUploader(window.wishes);
  let running = 0;

  const run = async (doing: Promise<string | undefined>): Promise<void> => {
    const mine = ++running;
    shown.outcome = "uploading";
    const error = await doing;
    if (mine === running) {
      shown.error = error ?? "";
      shown.outcome = error === undefined ? "done" : "failed";
      if (error === undefined) localStorage.clear();
    }
  };
  const shown: Shown = {
    parts: [],
    outcome: "",
    error: "",
    uploader,
    retry: () => void run(uploader.retry()),
  };
  window.shown = shown;

  const input = document.createElement("input");
  input.type = "file";
  document.body.append(input);
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file === undefined) return;
    const id = uploader.add(file);
    const kept = localStorage.getItem(id);
    if (kept !== null) uploader.resumeFrom(id, JSON.parse(kept) as Resumable);
    uploader.onPart((partNumber) => {
      shown.parts.push(partNumber);
      localStorage.setItem(id, JSON.stringify(uploader.resumable(id)));
    });
    void run(uploader.upload());
  });
}
