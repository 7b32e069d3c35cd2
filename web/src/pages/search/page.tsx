import { Head } from "../../ui/basics";
import type { PageProps } from "../../app/routes";

export default function SearchPage(_: PageProps) {
  return <Head title="Search" />;
}
