import { Head } from "../../ui/basics";
import type { PageProps } from "../../app/routes";

export default function EventsPage(_: PageProps) {
  return <Head title="Events" />;
}
