import { agents } from '#agents/module'
import { apps } from '#apps/module'
import { builds } from '#builds/module'
import { checklists } from '#checklists/module'
import { comparison } from '#comparison/module'
import { configuration } from '#configuration/module'
import { distribution } from '#distribution/module'
import { features } from '#features/module'
import { fixes } from '#fixes/module'
import type { Module } from '#foundation/api/module'
import { service } from '#foundation/service/module'
import { insights } from '#insights/module'
import { integrations } from '#integrations/module'
import { monitoring } from '#monitoring/module'
import { organizations } from '#organizations/module'
import { notifications } from '#notifications/module'
import { pages } from '#pages/module'
import { planning } from '#planning/module'
import { progress } from '#progress/module'
import { releases } from '#releases/module'
import { rollouts } from '#rollouts/module'
import { simulation } from '#simulation/module'
import { stores } from '#stores/module'
import { versionControl } from '#version_control/module'
import { webhooks } from '#webhooks/module'

/*
 * Every module, in the order of the reference page. Extensions of apps and releases run in this
 * order, too.
 */
export const modules: readonly Module[] = [
  configuration,
  organizations,
  insights,
  integrations,
  apps,
  monitoring,
  versionControl,
  releases,
  checklists,
  features,
  builds,
  stores,
  fixes,
  distribution,
  planning,
  progress,
  comparison,
  rollouts,
  notifications,
  webhooks,
  simulation,
  agents,
  pages,
  service,
]
