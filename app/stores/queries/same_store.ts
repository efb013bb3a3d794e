/** Returns an SQL condition: the row's integration leads to the same store as `:integrationId`. */
export const inSameStore = (alias: string) =>
  `(${alias}.integration_id = :integrationId or ${alias}.integration_id in (
    select beside.integration_id from store_members own
    join store_members beside on beside.organization_id = own.organization_id
      and beside.store_id = own.store_id
    where own.organization_id = :org and own.integration_id = :integrationId))`
