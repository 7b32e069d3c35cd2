import AwsS3 from "@uppy/aws-s3";
import Uppy, { type Body, type Meta, type UploadResult } from "@uppy/core";
import { type Resumable, showPage } from "../foreign_page";

showPage(({ endpoint, chunkSize, token }) => {
  const uppy = new Uppy<Meta, Body>();
  uppy.use(AwsS3, {
    endpoint,
    shouldUseMultipart: true,
    getChunkSize: () => chunkSize,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  uppy.on("file-added", (file) => uppy.setFileMeta(file.id, { size: file.size, partSize: chunkSize }));
  return {
    add: (file) => uppy.addFile({ name: file.name, type: file.type, data: file }),
    resumable: (id) => (uppy.getFile(id) as { s3Multipart?: Resumable }).s3Multipart,
    resumeFrom: (id, s3Multipart) => uppy.setFileState(id, { s3Multipart } as object),
    onPart: (handler) => uppy.on("s3-multipart:part-uploaded", (_, part) => handler(part.PartNumber)),
    upload: async () => complaint(await uppy.upload()),
    retry: async () => complaint(await uppy.retryAll()),
    pause: () => uppy.pauseAll(),
    resume: () => uppy.resumeAll(),
    cancel: () => uppy.cancelAll(),
  };
});

function complaint(result: UploadResult<Meta, Body> | undefined): string | undefined {
  return result?.failed?.[0]?.error ?? undefined;
}
