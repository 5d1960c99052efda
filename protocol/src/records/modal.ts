/** Modals that respond to an interaction: components, and rules that a schema cannot express. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { FileTypes } from './file.ts'
import { Snowflake, text, wholeNumber } from '../schema/index.ts'

/** Component types of modals only; other types are in COMPONENT_TYPES. */
export const MODAL_COMPONENT_TYPES = { textInput: 4, label: 18, fileUpload: 19, radioGroup: 21, checkboxGroup: 22, checkbox: 23 } as const

const part = <const Type extends number, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), id: wholeNumber(0, 0x7fffffff).nullish(), ...shape })

const CustomId = once(() => text(1, LIMITS.componentCustomId.value))
const required = once(() => z.boolean().nullish().meta({ description: 'Default: true.' }))

const TextInput = once(() =>
  part(MODAL_COMPONENT_TYPES.textInput, {
    custom_id: CustomId(),
    style: z.literal([1, 2]).meta({ description: '1 one line, 2 a paragraph' }),
    label: text(1, LIMITS.modalLabel.value)
      .nullish()
      .meta({ description: 'Only outside a Label; inside a Label, use the label of the Label.' }),
    value: z.string().max(LIMITS.textInput.value).nullish(),
    placeholder: z.string().max(LIMITS.textInputPlaceholder.value).nullish(),
    required: required(),
    min_length: wholeNumber(0, LIMITS.textInput.value).nullish(),
    max_length: wholeNumber(1, LIMITS.textInput.value).nullish(),
  }),
)

const SELECT = once(() => ({
  custom_id: CustomId(),
  placeholder: z.string().max(LIMITS.selectPlaceholder.value).nullish(),
  min_values: wholeNumber(0, LIMITS.selectValues.value).nullish(),
  max_values: wholeNumber(1, LIMITS.selectValues.value).nullish(),
  disabled: z.boolean().nullish().meta({ description: 'Must not be true; modals do not support disabled components.' }),
  required: required(),
}))

const option = once(() => ({ label: CustomId(), value: CustomId(), description: z.string().max(LIMITS.componentCustomId.value).nullish() }))
const SelectOption = once(() =>
  z.strictObject({
    ...option(),
    emoji: z.strictObject({ id: Snowflake().nullish(), name: z.string().max(LIMITS.emojiName.value) }).nullish(),
    default: z.boolean().nullish(),
  }),
)
const ChoiceOption = once(() => z.strictObject({ ...option(), default: z.boolean().nullish() }))

const FileUpload = once(() =>
  part(MODAL_COMPONENT_TYPES.fileUpload, {
    custom_id: CustomId(),
    min_values: wholeNumber(0, LIMITS.modalFiles.value).nullish(),
    max_values: wholeNumber(0, LIMITS.modalFiles.value).nullish(),
    file_types: FileTypes().nullish(),
    required: required(),
  }),
)

const Label = once(() =>
  part(MODAL_COMPONENT_TYPES.label, {
    label: text(1, LIMITS.modalLabel.value),
    description: text(1, LIMITS.componentCustomId.value).nullish(),
    component: z.discriminatedUnion('type', [
      TextInput(),
      part(3, { ...SELECT(), options: z.array(SelectOption()).min(1).max(LIMITS.selectValues.value) }),
      part(5, SELECT()),
      part(6, SELECT()),
      part(7, SELECT()),
      part(8, { ...SELECT(), channel_types: z.array(z.number().int()).nullish() }),
      FileUpload(),
      part(MODAL_COMPONENT_TYPES.radioGroup, {
        custom_id: CustomId(),
        required: required(),
        options: z.array(ChoiceOption()).min(2).max(LIMITS.modalChoices.value),
      }),
      part(MODAL_COMPONENT_TYPES.checkboxGroup, {
        custom_id: CustomId(),
        required: required(),
        min_values: wholeNumber(0, LIMITS.modalChoices.value).nullish(),
        max_values: wholeNumber(1, LIMITS.modalChoices.value).nullish(),
        options: z.array(ChoiceOption()).min(1).max(LIMITS.modalChoices.value),
      }),
      part(MODAL_COMPONENT_TYPES.checkbox, { custom_id: CustomId(), default: z.boolean().nullish() }),
    ]),
  }),
)

export const ModalInput = once(() =>
  z
    .strictObject({
      custom_id: CustomId(),
      title: text(1, LIMITS.modalTitle.value),
      components: z
        .array(
          z.discriminatedUnion('type', [
            part(1, { components: z.array(TextInput()).min(1).max(LIMITS.actionRowComponents.value) }),
            Label(),
            part(10, { content: text(1, LIMITS.textDisplay.value) }),
          ]),
        )
        .min(1)
        .max(LIMITS.componentsV2.value),
    })
    .meta({ id: 'ModalInput', description: 'A modal that responds to an interaction.' }),
)
export type ModalInput = z.output<ReturnType<typeof ModalInput>>

export interface ModalProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Bounded = { readonly min_values?: number | null | undefined; readonly max_values?: number | null | undefined }

/** Returns the problems of a modal that its schema cannot express. */
export const modalProblems = ({ components }: ModalInput): ModalProblem[] =>
  components.flatMap((one, index) => {
    if (one.type === 1)
      return one.components.flatMap((input, inner) =>
        input.label === undefined || input.label === null
          ? [{ path: ['components', index, 'components', inner, 'label'], message: 'is required for a text input outside a Label' }]
          : [],
      )
    return one.type === MODAL_COMPONENT_TYPES.label ? inLabel(one.component, ['components', index, 'component']) : []
  })

type InLabel = z.output<ReturnType<typeof Label>>['component']

function inLabel(component: InLabel, path: readonly (string | number)[]): ModalProblem[] {
  const problems: ModalProblem[] = []
  if (component.type === MODAL_COMPONENT_TYPES.textInput && component.label !== undefined && component.label !== null)
    problems.push({ path: [...path, 'label'], message: 'is not allowed on a text input inside a Label; set it on the Label' })
  if ('disabled' in component && component.disabled === true)
    problems.push({ path: [...path, 'disabled'], message: 'must not be true; modals do not support disabled components' })
  const { min_values: least, max_values: most }: Bounded = 'min_values' in component ? component : {}
  if (typeof least === 'number' && typeof most === 'number' && least > most)
    problems.push({ path: [...path, 'min_values'], message: `is ${least}, which is more than max_values (${most})` })
  return problems
}
