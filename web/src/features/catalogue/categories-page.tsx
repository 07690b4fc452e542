import { GroupList } from './groups/group-list.tsx';

/** All categories, also those that have no service yet. */
export const CategoriesPage = () => <GroupList kind="categories" />;
