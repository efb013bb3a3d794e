import vine, { SimpleMessagesProvider } from '@vinejs/vine'
import type { FieldContext, MessagesProviderContact } from '@vinejs/vine/types'

const MOST_CHOICES = 40

/**
 * Words for what is wrong with an input: VineJS' own, but with the whole path of the
 * field in place of the index of a list, and with the words that a field may be.
 */
class InputMessages implements MessagesProviderContact {
  readonly #plain = new SimpleMessagesProvider({})

  getMessage(raw: string, rule: string, field: FieldContext, args?: Record<string, unknown>) {
    const path = field.getFieldPath()
    if (rule === 'enum' && Array.isArray(args?.choices)) {
      const choices = args.choices.slice(0, MOST_CHOICES).join(', ')
      const more = args.choices.length > MOST_CHOICES ? ', …' : ''
      return `The ${path} field must be one of ${choices}${more}`
    }
    return this.#plain.getMessage(
      path ? raw.replaceAll('{{ field }}', path) : raw,
      rule,
      field,
      args
    )
  }
}

/** Makes every validator of the service use these words. */
export function useInputMessages(): void {
  vine.messagesProvider = new InputMessages()
}
