import vine, { SimpleMessagesProvider } from '@vinejs/vine'
import type { FieldContext, MessagesProviderContact } from '@vinejs/vine/types'

const MAX_CHOICES = 40

/** A count of one at the end of a message of VineJS, which always writes the plural. */
const ONE = /( 1 (?:item|character))s$/

/**
 * Messages for invalid inputs: those of VineJS, but with the whole path of a field instead of a
 * mere list index, and with the allowed words.
 */
class InputMessages implements MessagesProviderContact {
  readonly #plain = new SimpleMessagesProvider({})

  getMessage(raw: string, rule: string, field: FieldContext, args?: Record<string, unknown>) {
    const path = field.getFieldPath()
    if (rule === 'enum' && Array.isArray(args?.choices)) {
      const choices = args.choices.slice(0, MAX_CHOICES).join(', ')
      const more = args.choices.length > MAX_CHOICES ? ', …' : ''
      return `The ${path} field must be one of ${choices}${more}`
    }
    const message = this.#plain.getMessage(
      path ? raw.replaceAll('{{ field }}', path) : raw,
      rule,
      field,
      args
    )
    return args?.min === 1 || args?.max === 1 ? message.replace(ONE, '$1') : message
  }
}

/** Makes every validator of the service use these messages. */
export function useInputMessages(): void {
  vine.messagesProvider = new InputMessages()
}
