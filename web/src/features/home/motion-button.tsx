import { Pause, Play } from 'lucide-react';
import { IconButton } from '../../ui/actions/icon-button.tsx';

/** Everything that moves has one. */
export function MotionButton({
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
