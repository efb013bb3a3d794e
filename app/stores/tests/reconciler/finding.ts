/** The rules that a run of a system can break. */
export type Rule =
  | 'ends where wanted'
  | 'no growth after a stop'
  | 'refused is not repeated'
  | 'retries back off'
  | 'new credentials are used'
  | 'announced is true'
  | 'nobody is named wrongly'
  | 'adopted is from outside'
  | 'superseded is silent'
  | 'a repeated stop restarts nothing'
  | 'growth waits for reviews'
  | 'calls follow each other'
  | 'a stop does not wait'
  | 'nothing goes on after its end'
  | 'a freeze holds automations'
  | 'restarted reviews say so'

/** A rule that was broken, and where. */
export interface Finding {
  rule: Rule
  order: number
  at: number
  what: string
}
