// A setting that is on or off, with what it means.

interface Props {
  label: string;
  hint: string;
  isOn: boolean;
  change: (isOn: boolean) => void;
}

export function Check({ label, hint, isOn, change }: Props) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
      <span>
        {label} <small class="soft">{hint}</small>
      </span>
    </label>
  );
}
