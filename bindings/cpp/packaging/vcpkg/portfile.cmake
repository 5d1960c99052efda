# A port that builds the package which it lies in: vcpkg install sallyport-cpp --overlay-ports=ports
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}/cpp"
  OPTIONS
    -DSALLYPORT_INSTALL=ON
    -DSALLYPORT_EXAMPLES=OFF
    -DSALLYPORT_SHARED_LIBRARY=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Sallyport CONFIG_PATH lib/cmake/Sallyport DO_NOT_DELETE_PARENT_CONFIG_PATH)
vcpkg_cmake_config_fixup(PACKAGE_NAME SallyportCpp CONFIG_PATH lib/cmake/SallyportCpp)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
