/** A question before what cannot be taken back, as the page `components/question_page` asks it. */
export interface Question {
  heading: string
  /** What is the case and what would follow, one sentence each. */
  lines: readonly string[]
  action: string
  verb: string
  cancel: string
}
