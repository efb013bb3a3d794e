import type { CadenceException, PilotAbsence } from '#planning/calendar/cadence'
import { MAX_ABSENCES, MAX_EXCEPTIONS } from '#planning/vocabulary'
import type { Inspector, Element } from './inspector.js'

const MAX_EMAIL = 320

/** Maps JSON pointers of a request to the matching places in the file. */
type Places = Map<string, Element>

/** Reads the exceptions and absences of a cadence. People are named by e-mail address. */
export class SingleTrains {
  readonly places: Places = new Map()

  /** @param emails of the existing users and of those the same file invites, in lower case */
  constructor(
    private readonly inspector: Inspector,
    private readonly emails: ReadonlySet<string>
  ) {}

  exceptions(element: Element): CadenceException[] {
    const { inspector } = this
    const read: CadenceException[] = []
    for (const item of inspector.items(element, 'exceptions', MAX_EXCEPTIONS)) {
      const fields = inspector.fields(item, ['date', 'skipped', 'movedTo', 'releasePilot'])
      if (!fields) continue
      const date = inspector.required(item, 'date', fields.date, (each) => this.#day(each))
      const skipped = inspector.optional(fields.skipped, (each) => inspector.flag(each)) ?? false
      const movedTo = inspector.optional(fields.movedTo, (each) => this.#day(each)) ?? null
      const pilotId = inspector.optional(fields.releasePilot, (each) => this.#user(each)) ?? null
      if (date === undefined) continue
      this.#place(`/exceptions/${read.length}`, { date: fields.date, movedTo: fields.movedTo })
      read.push({ date, skipped, movedTo, pilotId })
    }
    return read
  }

  absences(element: Element): PilotAbsence[] {
    const { inspector } = this
    const read: PilotAbsence[] = []
    for (const item of inspector.items(element, 'absences', MAX_ABSENCES)) {
      const fields = inspector.fields(item, ['user', 'from', 'to'])
      if (!fields) continue
      const userId = inspector.required(item, 'user', fields.user, (each) => this.#user(each))
      const from = inspector.required(item, 'from', fields.from, (each) => this.#day(each))
      const to = inspector.required(item, 'to', fields.to, (each) => this.#day(each))
      if (userId === undefined || from === undefined || to === undefined) continue
      this.#place(`/absences/${read.length}`, { from: fields.from, to: fields.to })
      read.push({ userId, from, to })
    }
    return read
  }

  #place(pointer: string, elements: Record<string, Element | undefined>): void {
    for (const [name, element] of Object.entries(elements)) {
      if (element) this.places.set(`${pointer}/${name}`, element)
    }
  }

  #day(element: Element): string | undefined {
    return this.inspector.text(element, 10)
  }

  #user(element: Element): string | undefined {
    const email = this.inspector.text(element, MAX_EMAIL)?.toLowerCase()
    if (email === undefined || this.emails.has(email)) return email
    const message = 'Has to be the address of a user, or of one listed in appUsers'
    this.inspector.problems.addUnknown(element, 'member_unknown', message, email, this.emails)
    return undefined
  }
}
