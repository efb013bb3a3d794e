import { recordAppEvent } from '#apps/record_app_event'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { checkFields, fixForm, formFields, storeFixForm, type FixForm } from '../triage/form.js'
import type { UpdateFormInput } from '../validators/triage_input.js'

/**
 * Changes the request form of an app. Existing requests keep the rules that they were made with.
 */
export class UpdateFixForm {
  constructor(private readonly scope: Scope) {}

  /** Collects the errors of an input beyond its shape. */
  check({ fields }: PartiallyValid<UpdateFormInput>, errors: InputErrors): void {
    checkFields(fields, errors)
  }

  /** @throws invalid_input */
  async handle(appId: string, input: UpdateFormInput): Promise<void> {
    const errors = new InputErrors()
    this.check(input, errors)
    errors.throwIfAny()
    const before = await fixForm(this.scope, appId)
    const { requiredApprovals, fourEyes, fields } = input
    await this.store(appId, before, {
      requiredApprovals: requiredApprovals ?? before.requiredApprovals,
      fourEyes: fourEyes ?? before.fourEyes,
      fields: fields ? formFields(fields) : before.fields,
    })
  }

  /** Stores a valid form; an unchanged one writes nothing. */
  async store(appId: string, before: FixForm, form: FixForm): Promise<void> {
    if (JSON.stringify(before) === JSON.stringify(form)) return
    await storeFixForm(this.scope, appId, form)
    recordAppEvent(this.scope, appId, {
      type: 'app.fixRequestFormChanged',
      title: 'The form for fix requests was changed',
      data: { from: before, to: form },
    })
  }
}
