import { Download } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { Button } from '#ui/actions/button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';

/** The name of a file by what it holds, such as its period; parts that there are not are left out. */
export const fileName = (
  extension: string,
  ...parts: readonly (string | number | false | undefined)[]
): string =>
  `${parts.filter((part) => part !== undefined && part !== false && part !== '').join('-')}.${extension}`;

interface DownloadChoice {
  label: string;
  fileName: string;
  load: () => Promise<Blob>;
}

/** Buttons that download files; what fails is said below them. */
export function DownloadButtons({
  choices,
  isDisabled = false,
}: {
  choices: readonly DownloadChoice[];
  isDisabled?: boolean;
}) {
  const [pending, setPending] = useState<string>();
  const [error, setError] = useState<ApiError | null>(null);
  const save = async ({ fileName, load }: DownloadChoice) => {
    setPending(fileName);
    setError(null);
    try {
      saveContent(await load(), fileName);
    } catch (thrown) {
      setError(thrown as ApiError);
    } finally {
      setPending(undefined);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-3 print:hidden">
        {choices.map((choice) => (
          <Button
            key={choice.fileName}
            size="sm"
            variant="secondary"
            icon={<Download aria-hidden size={18} />}
            isPending={pending === choice.fileName}
            isDisabled={isDisabled}
            onPress={() => void save(choice)}
          >
            {choice.label}
          </Button>
        ))}
      </div>
      <ErrorAlert error={error} />
    </div>
  );
}
