import { Pause, Play } from 'lucide-react';
import { IconButton } from '#ui/actions/icon-button.tsx';

/** Every moving element has this button. */
export function PlayPauseButton({
  label,
  isPaused,
  onPress,
}: {
  label: string;
  isPaused: boolean;
  onPress: () => void;
}) {
  const Icon = isPaused ? Play : Pause;
  return (
    <IconButton label={label} onPress={onPress}>
      <Icon aria-hidden size={20} />
    </IconButton>
  );
}
