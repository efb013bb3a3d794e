import { addresses, addressOf } from '../addresses.js'
import type { Outlook } from '../ask.js'
import type { PageCall, PageView } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { refuse } from '#foundation/core/problems/problem'
import { appName } from '../words/names.js'
import { refusalText } from '../words/plain.js'
import type { Entry, Release } from './answers.js'
import { ACTS } from './acts.js'
import { changeText, refusalOf } from './changed.js'
import type { ReleaseAnswers } from './read.js'
import { tagOf } from './tags.js'

/** The most events of a rehearsal that are listed. */
const MAX_TITLES = 12

interface Answers {
  app: ReleaseAnswers['app']
  release: Release
  /** The declaration of the act. */
  declared: (typeof ACTS)[number]
  run: string
  outlook: Outlook
  /** The entity tag of the entity that the act changes; null for none. */
  tag: string | null
  /** The last event; absent for a release without a timeline. */
  entry?: Entry
}

/** Reads a release, and rehearses the act in question. @throws not_found for an unknown act */
export async function readAct({ ask, rehearse, params }: PageCall): Promise<Answers> {
  const { appId, releaseId, stepId, act } = params
  const declared = ACTS.find((each) => each.act === act && each.asksFirst)
  if (!declared) throw refuse('not_found')
  const [app, release, step, entries] = await Promise.all([
    ask<Answers['app']>('getApp', { params: { appId } }),
    ask<Release>('getRelease', { params: { appId, releaseId } }),
    ask<{ stepRunId: string | null }>('getReleaseStep', { params: { appId, releaseId, stepId } }),
    ask<{ data: Entry[] }>('listTimelineEvents', {
      ...{ params: { appId, releaseId }, query: { limit: '1' } },
    }),
  ])
  const run = step.body.stepRunId ?? ''
  const outlook = await rehearse(declared.operation, {
    params: { appId, releaseId, ...(declared.ofRun && { stepRunId: run }) },
    ...(declared.body && { body: declared.body }),
  })
  const tag = tagOf(declared.operation, { release: release.etag, runs: {} }, null)
  const [entry] = entries.body.data
  return { app: app.body, release: release.body, declared, run, outlook, tag, entry }
}

/** Says which build would be submitted; null if none is chosen. */
const sentText = (build: Release['selectedBuild']): string | null =>
  build && `Build ${build.buildNumber} of ${build.version} would go for review.`

/** Returns the view of the question before an act: its consequences, and the way back. */
export function actView(
  { app, release, declared, run, outlook, tag, entry }: Answers,
  { params, refused, reader }: Pick<PageCall, 'params' | 'refused' | 'reader'>
) {
  const { word, mind, force } = declared
  const name = `${appName(app)} ${release.version}`
  const { titles, problem } = outlook
  // Some rules can be overridden.
  const mayForce = problem?.extras.allowedActions?.includes('force') === true
  const hasBox = mayForce && force !== undefined
  const action = addressOf(addresses.act, params)
  const changed = entry ? { actor: entry.actor, at: entry.occurredAt } : null
  return {
    title: `${word} · ${release.version}`,
    place: null,
    pollSeconds: null,
    heading: `${word}: ${name}?`,
    mind: mind ?? null,
    sends: declared.act === 'submit' ? sentText(release.selectedBuild) : null,
    ...(refused && {
      refusal: refusalOf(refused.problem, changeText(changed, refused, reader), hasBox),
    }),
    titles: titles.slice(0, MAX_TITLES),
    more: Math.max(0, titles.length - MAX_TITLES),
    // The refusal of the form itself is at the top already.
    problem: problem && !refused ? refusalText(problem.message, hasBox) : null,
    force: hasBox ? force.label : null,
    run,
    tag: seenTag(tag, action, refused),
    word,
    action,
    back: addressOf(addresses.step, params),
  } satisfies PageView & Record<string, unknown>
}
