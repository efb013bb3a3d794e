import { appExtensions } from '#apps/extensions'
import type { Module } from '#foundation/api/module'
import { eventSubscribers } from '#foundation/core/events/subscribers'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseExtensions } from '#releases/extensions'
import { appExtension } from './app_extension.js'
import { reportSwitch } from './flags/report_switch.js'
import { markTickets } from './marks/mark_tickets.js'
import { releaseVersions, versionsOfCompleted } from './marks/release_versions.js'
import { observer } from './observer.js'
import { parameters } from './parameters.js'
import { problems } from './problems.js'
import { releaseExtension } from './release_extension.js'
import { operations } from './routes.js'
import { observeCode } from './work/observe_code.js'
import { observeFlags } from './work/observe_flags.js'
import { observeTickets } from './work/observe_tickets.js'

/** Work items of a release and their readiness. */
export const features: Module = {
  name: 'features',
  operations,
  parameters,
  problems,
  work: [observeCode, observeTickets, markTickets, releaseVersions, observeFlags, reportSwitch],
  extensions: [
    appExtensions.extend(appExtension),
    releaseExtensions.extend(releaseExtension),
    integrationObservers.extend(observer),
    eventSubscribers.extend(versionsOfCompleted),
  ],
}
