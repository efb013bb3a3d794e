/**
 * The columns of a unique key that rows of other tables refer to. SQLite reads all rows of an
 * organization by a key that begins with the organization, and one row by a key that begins with
 * the id.
 */
export const referredKey = (dialect: string): string[] =>
  dialect === 'postgres' ? ['organization_id', 'id'] : ['id', 'organization_id']
