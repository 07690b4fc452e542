import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';

export interface TabItem {
  id: string;
  label: string;
  content: ReactNode;
}

export function Tabs({ label, tabs, selected, onSelect }: { label: string; tabs: readonly TabItem[]; selected: string; onSelect: (id: string) => void }) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList aria-label={label} className="no-scrollbar flex gap-1 overflow-x-auto border-b border-ink-100">
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className="-mb-px flex min-h-12 shrink-0 cursor-pointer items-center border-b-3 border-transparent px-4 font-semibold text-ink-600 -outline-offset-2 transition-colors duration-150 hover:text-ink-900 data-selected:border-primary data-selected:text-gold-700">
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => <TabPanel key={tab.id} id={tab.id} className="pt-6">{tab.content}</TabPanel>)}
    </AriaTabs>
  );
}
