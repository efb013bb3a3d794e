import { addresses } from '../addresses.js'
import { page } from '../frame/page.js'
import { readRelease } from './read.js'
import { releaseView } from './view.js'

/** A release, with the step that matters. */
export const releasePage = page({
  path: addresses.release,
  template: 'release/page',
  read: readRelease,
  view: releaseView,
})

/** A release with a step of its own choice. */
export const stepPage = page({
  path: addresses.step,
  template: 'release/page',
  read: readRelease,
  view: releaseView,
})
