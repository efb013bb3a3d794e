import { operations as apps } from '#apps/routes'
import { operations as checklists } from '#checklists/routes'
import { operations as configuration } from '#configuration/routes'
import { operations as service } from '#foundation/api/service/routes'
import { operations as insights } from '#insights/routes'
import { operations as organizations } from '#organizations/routes'
import { operations as releases } from '#releases/routes'
import { operations as webhooks } from '#webhooks/routes'

/** The operations of every module, in the order of the reference page. */
export const modules = [
  configuration,
  organizations,
  insights,
  apps,
  releases,
  checklists,
  webhooks,
  service,
]
