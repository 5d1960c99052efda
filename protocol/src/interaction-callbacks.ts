/** The INTERACTION_CALLBACKS table: ways to answer an interaction, what data each carries, and which interactions accept it. */

/** Numbers by which interactions say what they are. */
export const INTERACTION_TYPES = { ping: 1, applicationCommand: 2, messageComponent: 3, autocomplete: 4, modalSubmit: 5 } as const
export type InteractionTypeName = keyof typeof INTERACTION_TYPES

/** What the `data` of a callback is: a message, changes of one, choices, a form, or nothing. */
export type CallbackData = 'none' | 'message' | 'changes' | 'choices' | 'modal'

export interface InteractionCallbackRow {
  readonly type: number
  readonly summary: string
  readonly data: CallbackData
  /** Interactions that accept it. */
  readonly answers: readonly InteractionTypeName[]
  /** What to do instead, where the platform no longer wants it. */
  readonly deprecated?: string
}

const callback = <const T extends number>(
  type: T,
  data: CallbackData,
  answers: readonly InteractionTypeName[],
  summary: string,
  deprecated?: string,
) => ({ type, summary, data, answers, ...(deprecated === undefined ? {} : { deprecated }) }) as const satisfies InteractionCallbackRow

const WITH_MESSAGE = ['applicationCommand', 'messageComponent', 'modalSubmit'] as const
const FROM_MESSAGE = ['messageComponent', 'modalSubmit'] as const
const WITHOUT_FORM = ['applicationCommand', 'messageComponent'] as const

export const INTERACTION_CALLBACKS = {
  PONG: callback(1, 'none', ['ping'], 'Answer the ping with which the platform tries an endpoint.'),
  CHANNEL_MESSAGE_WITH_SOURCE: callback(4, 'message', WITH_MESSAGE, 'Write a message.'),
  DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE: callback(5, 'message', WITH_MESSAGE, 'Promise a message; it is written by editing this answer.'),
  DEFERRED_UPDATE_MESSAGE: callback(6, 'none', FROM_MESSAGE, 'Promise to change the message the component stands in.'),
  UPDATE_MESSAGE: callback(7, 'changes', FROM_MESSAGE, 'Change the message the component stands in.'),
  APPLICATION_COMMAND_AUTOCOMPLETE_RESULT: callback(8, 'choices', ['autocomplete'], 'Offer choices while the user types.'),
  MODAL: callback(9, 'modal', WITHOUT_FORM, 'Open a form.'),
  PREMIUM_REQUIRED: callback(
    10,
    'none',
    WITH_MESSAGE,
    'Ask the user to buy something first.',
    'write a message with a premium button instead: style 6 and sku_id',
  ),
  LAUNCH_ACTIVITY: callback(12, 'none', WITH_MESSAGE, 'Start the activity of the application.'),
} as const satisfies Record<string, InteractionCallbackRow>

export type InteractionCallbackName = keyof typeof INTERACTION_CALLBACKS

/** The callback of a number, with its name; undefined when there is none. */
export function callbackOf(type: number): (InteractionCallbackRow & { readonly name: string }) | undefined {
  const found = Object.entries<InteractionCallbackRow>(INTERACTION_CALLBACKS).find(([, row]) => row.type === type)
  return found === undefined ? undefined : { ...found[1], name: found[0] }
}

/** Whether an interaction of this type can be answered so. */
export const mayAnswer = (interactionType: number, { answers }: InteractionCallbackRow): boolean =>
  answers.some((name) => INTERACTION_TYPES[name] === interactionType)
