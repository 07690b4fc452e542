export const clientVersion = '2.1.3';

export interface Configuration {
  apiBaseUrl: string;
  supportPhone: string;
  supportEmail: string;
}

interface ConfigurationFile {
  environments?: Record<string, { apiBaseUrl?: string }>;
  support?: { phone?: string; email?: string };
}

let loaded: Configuration = { apiBaseUrl: '', supportPhone: '', supportEmail: '' };

/** The environment is chosen by host name. Source: specification §1. Without a file everything is on this origin. */
export async function loadConfiguration(): Promise<void> {
  try {
    const response = await fetch('/configuration.json');
    if (!response.ok) return;
    const file = (await response.json()) as ConfigurationFile;
    const environment = file.environments?.[window.location.host] ?? file.environments?.[window.location.hostname];
    loaded = { apiBaseUrl: environment?.apiBaseUrl ?? '', supportPhone: file.support?.phone ?? '', supportEmail: file.support?.email ?? '' };
  } catch {
    // An unreadable file must not keep the portal from starting.
  }
}

export function configuration(): Configuration {
  return loaded;
}
