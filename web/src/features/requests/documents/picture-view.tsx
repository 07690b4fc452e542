import { useState } from 'react';
import { useElementWidth } from '#lib/browser/media.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useImageContent } from './documents.data.ts';

interface PictureViewProps {
  content: Blob;
  title: string;
  zoom: number;
  rotation: number;
  onShown: () => void;
  onProblem: (problem: 'broken') => void;
}

/** An image as wide as its container, with zoom and rotation by quarter turns. */
export function PictureView({
  content,
  title,
  zoom,
  rotation,
  onShown,
  onProblem,
}: PictureViewProps) {
  const { t } = useTranslation('staff');
  const imageRef = useImageContent(content);
  const { ref: measure, width } = useElementWidth<HTMLDivElement>();
  const [size, setSize] = useState<{ width: number; height: number }>();
  const isTurned = rotation % 180 !== 0;
  const shown = size ?? { width: 4, height: 3 };
  // At zoom 1 the image is not enlarged.
  const scale =
    (Math.min(1, Math.max(120, width - 26) / (isTurned ? shown.height : shown.width)) || 1) * zoom;
  const box = { width: shown.width * scale, height: shown.height * scale };
  return (
    <div ref={measure} className="flex min-h-0 grow flex-col">
      <div
        role="region"
        aria-label={t('viewer.pages')}
        tabIndex={0}
        className="min-h-0 grow overflow-auto overscroll-contain rounded-md bg-ink-100 p-3 max-lg:max-h-[70dvh]"
      >
        <div
          className="relative mx-auto"
          style={
            size
              ? {
                  width: isTurned ? box.height : box.width,
                  height: isTurned ? box.width : box.height,
                }
              : undefined
          }
        >
          <img
            ref={imageRef}
            alt={title}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              setSize({ width: naturalWidth, height: naturalHeight });
              onShown();
            }}
            onError={() => onProblem('broken')}
            className="absolute top-1/2 left-1/2 max-w-none bg-paper"
            style={{
              width: box.width,
              height: box.height,
              transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
              visibility: size ? 'visible' : 'hidden',
            }}
          />
        </div>
      </div>
    </div>
  );
}
