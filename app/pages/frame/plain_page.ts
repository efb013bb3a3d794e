import { renderTemplate } from './engine.js'
import type { IconName } from './icon_names.js'
import type { navigationOf } from './places.js'
import type { refusalOf } from './refusal.js'

/** Returns the attribute of a page's theme; empty if it is the system's. */
export const themeAttribute = (theme: 'system' | 'light' | 'dark' | null): string =>
  theme === null || theme === 'system' ? '' : ` data-theme="${theme}"`

interface PlainFrame {
  title: string
  theme: 'system' | 'light' | 'dark' | null
  said?: string | null
  refusal?: ReturnType<typeof refusalOf> | null
  navigation?: ReturnType<typeof navigationOf> | null
}

/** Returns the frame of a page that does not poll: a sign-in or a problem page. */
export const plainFrame = ({ theme, ...frame }: PlainFrame) => ({
  said: null,
  refusal: null,
  navigation: null,
  ...frame,
  theme: themeAttribute(theme),
  live: '',
  refresh: null,
})

/** The view of the page of a problem. */
interface ProblemView {
  icon: IconName
  heading: string
  text: string
  /** A sentence about who may do what was refused. */
  who: string | null
  /** Null if nothing was logged. */
  requestId: string | null
  back: { href: string; name: string }
}

/** Renders the page of a problem. */
export const problemHtml = (
  view: ProblemView,
  frame: Pick<PlainFrame, 'theme' | 'navigation'>
): string =>
  renderTemplate('frame/problem', { view, frame: plainFrame({ title: view.heading, ...frame }) })
