import type { CadenceException, PilotAbsence } from '#planning/calendar/cadence'
import { MAX_ABSENCES, MAX_EXCEPTIONS } from '#planning/vocabulary'
import type { Inspector, Element } from './inspector.js'

const MAX_EMAIL = 320

/** Reads the exceptions and absences of a cadence. People are named by e-mail address. */
export class ExceptionsAndAbsences {
  /** Elements of the file by the JSON pointers that a request has for them. */
  readonly elements = new Map<string, Element>()

  /** @param emails of the existing users and of those the same file invites, in lower case */
  constructor(
    private readonly inspector: Inspector,
    private readonly emails: ReadonlySet<string>
  ) {}

  readExceptions(element: Element): CadenceException[] {
    const { inspector } = this
    const read: CadenceException[] = []
    for (const item of inspector.items(element, 'exceptions', MAX_EXCEPTIONS)) {
      const fields = inspector.fields(item, ['date', 'skipped', 'movedTo', 'releasePilot'])
      if (!fields) continue
      const date = inspector.required(item, 'date', fields.date, (each) => this.#readDay(each))
      const skipped = inspector.optional(fields.skipped, (each) => inspector.flag(each)) ?? false
      const movedTo = inspector.optional(fields.movedTo, (each) => this.#readDay(each)) ?? null
      const pilotId =
        inspector.optional(fields.releasePilot, (each) => this.#readUser(each)) ?? null
      if (date === undefined) continue
      this.#addElements(`/exceptions/${read.length}`, {
        date: fields.date,
        movedTo: fields.movedTo,
      })
      read.push({ date, skipped, movedTo, pilotId })
    }
    return read
  }

  readAbsences(element: Element): PilotAbsence[] {
    const { inspector } = this
    const read: PilotAbsence[] = []
    for (const item of inspector.items(element, 'absences', MAX_ABSENCES)) {
      const fields = inspector.fields(item, ['user', 'from', 'to'])
      if (!fields) continue
      const userId = inspector.required(item, 'user', fields.user, (each) => this.#readUser(each))
      const from = inspector.required(item, 'from', fields.from, (each) => this.#readDay(each))
      const to = inspector.required(item, 'to', fields.to, (each) => this.#readDay(each))
      if (userId === undefined || from === undefined || to === undefined) continue
      this.#addElements(`/absences/${read.length}`, { from: fields.from, to: fields.to })
      read.push({ userId, from, to })
    }
    return read
  }

  #addElements(pointer: string, elements: Record<string, Element | undefined>): void {
    for (const [name, element] of Object.entries(elements)) {
      if (element) this.elements.set(`${pointer}/${name}`, element)
    }
  }

  #readDay(element: Element): string | undefined {
    return this.inspector.text(element, 10)
  }

  /** Reads the e-mail address of a user; undefined if the file may not name it. */
  #readUser(element: Element): string | undefined {
    const email = this.inspector.text(element, MAX_EMAIL)?.toLowerCase()
    if (email === undefined || this.emails.has(email)) return email
    const message = 'Has to be the address of a user, or of one listed in appUsers'
    this.inspector.problems.addUnknown(element, 'member_unknown', message, email, this.emails)
    return undefined
  }
}
