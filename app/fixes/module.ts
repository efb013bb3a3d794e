import { codeSubscribers } from '#features/code_subscribers'
import type { Module } from '#foundation/api/module'
import { eventSubscribers } from '#foundation/core/events/subscribers'
import { releaseExtensions } from '#releases/extensions'
import { awaitedOf, seeAwaited } from './code/await_code.js'
import { events } from './events.js'
import { planFollowIfOpen } from './code/follow_fixes.js'
import { parameters } from './parameters.js'
import { problems } from './problems.js'
import { namedPullNumbers } from './queries/named_pulls.js'
import { releaseExtension } from './requests/release_extension.js'
import { operations } from './routes.js'
import { answeredByReleases } from './triage/triage_fixes.js'
import { followOnTime } from './work/follow_on_time.js'
import { mergeFix } from './work/merge_fix.js'
import { pickFix } from './work/pick_fix.js'
import { postStatus } from './work/post_status.js'

/** Late changes of a release, and what calls for them: fix requests and triage issues. */
export const fixes: Module = {
  name: 'fixes',
  operations,
  events,
  parameters,
  problems,
  tags: { 'Triage issues': 'Problems in apps, and what is done about them.' },
  work: [followOnTime, pickFix, mergeFix, postStatus],
  extensions: [
    releaseExtensions.extend(releaseExtension),
    eventSubscribers.extend(answeredByReleases),
    codeSubscribers.extend({
      codeChanged: planFollowIfOpen,
      namedPulls: namedPullNumbers,
      awaits: awaitedOf,
      seen: seeAwaited,
    }),
  ],
}
