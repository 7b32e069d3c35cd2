import { Head } from "../../ui/basics";
import type { PageProps } from "../../app/routes";

export default function JobsPage(_: PageProps) {
  return <Head title="Jobs" />;
}
