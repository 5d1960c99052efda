@tool
extends EditorPlugin
## Fails an export whose platform has no library of this add-on, and says which one is missing.

var _check := SallyportExportCheck.new()


func _enter_tree() -> void:
	add_export_plugin(_check)


func _exit_tree() -> void:
	remove_export_plugin(_check)


class SallyportExportCheck:
	extends EditorExportPlugin

	const EXTENSION := "res://addons/sallyport/sallyport.gdextension"

	func _get_name() -> String:
		return "Sallyport"

	func _export_begin(features: PackedStringArray, _is_debug: bool, _path: String, _flags: int) -> void:
		var platform := get_export_platform()
		var problem := problem_of(features)
		if problem != "":
			platform.add_message(EditorExportPlatform.EXPORT_MESSAGE_ERROR, "Sallyport", problem)

	## A sentence, or "" if a library fits the features and exists.
	static func problem_of(features: PackedStringArray) -> String:
		var config := ConfigFile.new()
		if config.load(EXTENSION) != OK:
			return "%s cannot be read; install the add-on again." % EXTENSION
		for key in config.get_section_keys("libraries"):
			var is_fitting := Array(key.split(".")).all(func(tag: String) -> bool: return features.has(tag))
			if not is_fitting:
				continue
			var library: String = config.get_value("libraries", key)
			if FileAccess.file_exists(library):
				return ""
			return "%s is missing; install the add-on again, or build it." % library
		return "There is no library for this platform; the add-on has Linux and Windows on x86_64. Exclude the add-on or use the stream client."
