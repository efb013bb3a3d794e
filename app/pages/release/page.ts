import { addresses } from '../addresses.js'
import { page } from '../frame/page.js'
import { actView, readAct } from './act.view.js'
import { partView } from './pair.view.js'
import { readPart } from './read_pair.js'
import { readRelease } from './read.js'
import { releaseView } from './view.js'

/** A release, with the step that matters now. */
export const releasePage = page({
  path: addresses.release,
  template: 'release/page',
  read: readRelease,
  view: releaseView,
})

/** A release with the step in the address. */
export const stepPage = page({
  path: addresses.step,
  template: 'release/page',
  read: readRelease,
  view: releaseView,
})

/** The confirmation before an action that cannot be undone, with its consequences. */
export const actPage = page({
  path: addresses.act,
  template: 'release/act',
  read: readAct,
  view: actView,
})

/** The confirmation before a pair is separated. */
export const partPage = page({
  path: addresses.partPair,
  template: 'components/question_page',
  read: readPart,
  view: partView,
})
