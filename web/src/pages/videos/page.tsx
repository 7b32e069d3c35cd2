import { Head } from "../../ui/basics";
import type { PageProps } from "../../app/routes";

export default function VideosPage(_: PageProps) {
  return <Head title="Videos" />;
}
