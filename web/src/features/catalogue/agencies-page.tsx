import { GroupList } from './groups/group-list.tsx';

/** The government agencies whose services people find. */
export const AgenciesPage = () => <GroupList kind="agencies" />;
