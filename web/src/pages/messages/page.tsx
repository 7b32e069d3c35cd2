import { Head } from "../../ui/basics";
import type { PageProps } from "../../app/routes";

export default function MessagesPage(_: PageProps) {
  return <Head title="Messages" />;
}
