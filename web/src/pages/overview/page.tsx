import { Head } from "../../ui/basics";
import type { PageProps } from "../../app/routes";

export default function OverviewPage(_: PageProps) {
  return <Head title="Overview" />;
}
