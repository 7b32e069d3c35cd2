// The files that a file picker offers.

export const ACCEPTED =
  ".mp4,.mov,.avi,.mkv,.webm,.ts,.m2ts,.mpg,.mpeg,.flv,.ogv,.wmv,.asf,.gif,.webp,.h264,.264,.hevc,.265,.m2v," +
  "video/*,image/gif,image/webp";
