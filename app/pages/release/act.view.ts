import { addresses, addressOf } from '../addresses.js'
import type { Outlook } from '../ask.js'
import type { PageCall, PageView } from '../frame/page.js'
import { refuse } from '#foundation/core/problems/problem'
import { platformName } from '../words/names.js'
import type { Release } from './answers.js'
import { ACTS } from './acts.js'
import type { ReleaseAnswers } from './read.js'

/** Most events of a rehearsal that are listed. */
const MOST_TITLES = 12

interface Answers {
  app: ReleaseAnswers['app']
  release: Release
  declared: (typeof ACTS)[number]
  run: string
  outlook: Outlook
}

/** Asks for a release, and rehearses what is asked about. @throws not_found for no such act */
export async function readAct({ ask, rehearse, params }: PageCall): Promise<Answers> {
  const { appId, releaseId, stepId, act } = params
  const declared = ACTS.find((each) => each.act === act && each.asksFirst)
  if (!declared) throw refuse('not_found')
  const [app, release, step] = await Promise.all([
    ask<Answers['app']>('getApp', { params: { appId } }),
    ask<Release>('getRelease', { params: { appId, releaseId } }),
    ask<{ stepRunId: string | null }>('getReleaseStep', { params: { appId, releaseId, stepId } }),
  ])
  const run = step.body.stepRunId ?? ''
  const outlook = await rehearse(declared.operation, {
    params: { appId, releaseId, ...(declared.ofRun && { stepRunId: run }) },
    ...(declared.body && { body: declared.body }),
  })
  return { app: app.body, release: release.body, declared, run, outlook }
}

/** The view of what is asked about: what it comes to, and how to take a step back. */
export function actView(
  { app, release, declared, run, outlook }: Answers,
  { params, refused }: Pick<PageCall, 'params' | 'refused'>
) {
  const { word, mind, force } = declared
  const name = `${app.name} ${platformName(app.platform)} ${release.version}`
  const { titles, problem } = outlook
  return {
    title: `${word} · ${release.version}`,
    place: null,
    everySeconds: null,
    heading: `${word}: ${name}?`,
    mind: mind ?? null,
    titles: titles.slice(0, MOST_TITLES),
    more: Math.max(0, titles.length - MOST_TITLES),
    // The refusal of the form itself stands on top already.
    problem: problem && !refused ? problem.message : null,
    // A rehearsal that is refused may be asked for against the rules.
    force: problem !== null && force ? force.label : null,
    run,
    word,
    action: addressOf(addresses.act, params),
    back: addressOf(addresses.step, params),
  } satisfies PageView & Record<string, unknown>
}
