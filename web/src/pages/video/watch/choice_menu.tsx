// A choice of a few values in a menu of the player.

interface Props<T extends string | number> {
  label: string;
  name: string;
  value: T;
  options: { value: T; label: string }[];
  choose: (value: T) => void;
}

export function ChoiceGroup<T extends string | number>({ label, name, value, options, choose }: Props<T>) {
  return (
    <fieldset class="choice-group">
      <legend class="label">{label}</legend>
      {options.map((item) => (
        <label key={item.value}>
          <input type="radio" name={name} checked={item.value === value} onChange={() => choose(item.value)} />
          <span>{item.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
