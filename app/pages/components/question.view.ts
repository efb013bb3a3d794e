import type { PageView, Place } from '../frame/page.js'

/** A question to confirm something that cannot be undone. */
interface Question {
  /** The title of the browser's tab. With a question mark, it is also the heading. */
  title: string
  /** The situation and the consequences, one sentence each. */
  lines: readonly string[]
  action: string
  /** The entity tag of what it is about; absent for none. */
  tag?: string
  verb: string
  cancel: string
}

/** Returns the view of a question, as the page `components/question_page` asks it. */
export const questionView = (place: Place | null, { title, tag, ...question }: Question) =>
  ({
    title,
    place,
    pollSeconds: null,
    question: { heading: `${title}?`, tag: tag ?? null, ...question },
  }) satisfies PageView & Record<string, unknown>
