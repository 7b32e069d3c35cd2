// Reads the pictures out of an MJPEG stream (multipart/x-mixed-replace), whose parts carry their length.

const HEAD_END = [13, 10, 13, 10];
/** More than any header of a part. */
const MAX_HEAD_BYTES = 4096;

export class PartReader {
  private rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** The bytes of the picture that are awaited; null while the header is read. */
  private size: number | null = null;

  /** The pictures that this piece of the stream completes. Throws if the stream is not one of pictures. */
  push(piece: Uint8Array): Uint8Array<ArrayBuffer>[] {
    this.rest = joined(this.rest, piece);
    const pictures: Uint8Array<ArrayBuffer>[] = [];
    while (this.readHead() && this.size !== null && this.rest.length >= this.size) {
      pictures.push(this.rest.slice(0, this.size));
      this.rest = this.rest.slice(this.size);
      this.size = null;
    }
    return pictures;
  }

  /** Whether the length of the next picture is known. */
  private readHead(): boolean {
    if (this.size !== null) return true;
    const end = endOfHead(this.rest);
    if (end === null) {
      if (this.rest.length > MAX_HEAD_BYTES) throw new Error("not an MJPEG stream");
      return false;
    }
    const head = new TextDecoder().decode(this.rest.subarray(0, end));
    const length = /^content-length:\s*(\d+)\s*$/im.exec(head)?.[1];
    if (length === undefined) throw new Error("not an MJPEG stream");
    this.size = Number(length);
    this.rest = this.rest.slice(end);
    return true;
  }
}

function joined(first: Uint8Array<ArrayBuffer>, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** The index after the empty line that ends the header. */
function endOfHead(bytes: Uint8Array): number | null {
  for (let at = 0; at + HEAD_END.length <= bytes.length; at += 1) {
    if (HEAD_END.every((value, index) => bytes[at + index] === value)) return at + HEAD_END.length;
  }
  return null;
}
