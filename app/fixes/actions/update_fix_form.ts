import { recordAppEvent } from '#apps/record_app_event'
import { Faults, type PartiallyValid } from '#foundation/core/problems/faults'
import type { Scope } from '#foundation/core/scope'
import { checkFields, fixForm, formFields, storeFixForm, type FixForm } from '../triage/form.js'
import type { UpdateFormInput } from '../validators/triage_input.js'

/** Changes how an app asks for fixes; requests that are under way keep what they were made with. */
export class UpdateFixForm {
  constructor(private readonly scope: Scope) {}

  /** Gathers what is wrong beyond its shape. */
  check({ fields }: PartiallyValid<UpdateFormInput>, faults: Faults): void {
    checkFields(fields, faults)
  }

  /** @throws invalid_input */
  async handle(appId: string, input: UpdateFormInput): Promise<void> {
    const faults = new Faults()
    this.check(input, faults)
    faults.demandNone()
    const before = await fixForm(this.scope, appId)
    const { requiredApprovals, fourEyes, fields } = input
    await this.store(appId, before, {
      requiredApprovals: requiredApprovals ?? before.requiredApprovals,
      fourEyes: fourEyes ?? before.fourEyes,
      fields: fields ? formFields(fields) : before.fields,
    })
  }

  /** Stores a sound form; one that is as it was leaves no trace. */
  async store(appId: string, before: FixForm, form: FixForm): Promise<void> {
    if (JSON.stringify(before) === JSON.stringify(form)) return
    await storeFixForm(this.scope, appId, form)
    recordAppEvent(this.scope, appId, {
      type: 'app.fixRequestFormChanged',
      title: 'How fixes are requested was changed',
      data: { from: before, to: form },
    })
  }
}
