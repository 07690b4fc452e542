interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * Whether a video may be fetched and played by itself: not for who asks for less motion or less
 * data, and not on a slow network.
 */
export function mayMove(): boolean {
  const { saveData, effectiveType } =
    (navigator as Navigator & { connection?: Connection }).connection ?? {};
  return (
    !window.matchMedia('(prefers-reduced-motion: reduce)').matches &&
    saveData !== true &&
    (effectiveType === undefined || effectiveType === '4g')
  );
}
