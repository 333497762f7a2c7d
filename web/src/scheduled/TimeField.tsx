import { useId } from 'react';
import ui from '../ui/ui.module.css';

export interface TimeFieldProps {
  readonly label: string;
  /** In the zone of the user's profile, as `localValue` writes it. */
  readonly value: string;
  readonly min: string | undefined;
  /** Which zone that is, if the browser is in another one. */
  readonly zoneHint: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A time that the user types. The hint is beside the label, so that it is not a part of the field's name. */
export function TimeField({ label, value, min, zoneHint, onChange }: TimeFieldProps) {
  const hintId = useId();
  return (
    <div className={ui.field}>
      <label className={ui.field}>
        <span>{label}</span>
        <input
          className={ui.input}
          type="datetime-local"
          required
          min={min}
          value={value}
          aria-describedby={zoneHint && hintId}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      {zoneHint !== undefined && (
        <small id={hintId} className={ui.soft}>
          {zoneHint}
        </small>
      )}
    </div>
  );
}
